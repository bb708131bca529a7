// What is used of PDF.js, as unpdf packs it. It is a file of its own, because it is large.
export { getDocument } from 'unpdf/pdfjs';
