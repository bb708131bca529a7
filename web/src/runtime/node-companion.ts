// Packages that few users need. They are installed beside `ambry`, so that `npm install ambry` stays small.
import { messageOf } from '../base/errors.ts';

/** Undefined where the package is not installed. `name` may be one of its entries, such as `package/entry`. Bundlers must not
 *  look for it, hence the comments. */
export async function importCompanion<T>(name: string): Promise<T | undefined> {
  try {
    return (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as T;
  } catch (error) {
    // A package that is installed, but lacks one of its own, names that one.
    const [owner] = name.split('/');
    if (RegExp(`['"]${owner}['"]`).test(messageOf(error))) {
      return undefined;
    }
    throw error;
  }
}
