// What is used of PDF.js. It is a file of its own, because it is larger than all other code of the package together.
export { getDocument } from 'unpdf/pdfjs';
