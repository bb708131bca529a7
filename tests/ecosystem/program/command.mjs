// Runs the check in a runtime that has a command line. The environment says where the assets are.
import { check } from './check.js';

console.log(JSON.stringify(await check(process.env.ASSETS)));
process.exit(0);
