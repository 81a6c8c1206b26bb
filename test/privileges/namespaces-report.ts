/** Prints what this process says about other network namespaces: PATH of a socket. */
import { namespacesTrouble } from '../../src/privileges/namespaces.ts';

process.stdout.write(namespacesTrouble(process.argv[2]));
