// Certificates for TLS servers of tests, made by OpenSSL's program.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificate {
  readonly key: Buffer;
  readonly cert: Buffer;
  readonly path: string;
}

/** A self-signed certificate for a name, valid for one day. */
export function makeCertificate(folder: string, name: string): Certificate {
  const place = mkdtempSync(join(folder, 'certificate-'));
  const [keyPath, path] = [join(place, 'key.pem'), join(place, 'certificate.pem')];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1'];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${name}`];
  const files = ['-keyout', keyPath, '-out', path];
  execFileSync('openssl', [...request, ...subject, ...files], { stdio: 'ignore' });
  return { key: readFileSync(keyPath), cert: readFileSync(path), path };
}
