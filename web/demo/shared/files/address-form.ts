// A form with a field for the address of a file.

import { byId } from '../dom/dom.ts';
import { addressHelp, givenAddress } from './given-address.ts';

/** Opens what is typed into the field, or says what an address is. */
export function mountAddressForm(
  form: string,
  field: string,
  open: (address: string) => void,
): void {
  const input = byId(field, HTMLInputElement);
  // A name at the hub is no URL, and the browser would refuse it.
  input.type = 'text';
  input.placeholder = 'https://… or owner/name';
  input.addEventListener('input', () => input.setCustomValidity(''));
  byId(form, HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const address = givenAddress(input.value);
    if (address === null) {
      input.setCustomValidity(addressHelp);
      input.reportValidity();
    } else {
      open(address);
    }
  });
}
