// The proxies that environment variables name, by the rules of curl.
import { BlockList, isIP } from 'node:net';
import { AmbryError } from '../../base/errors.ts';

export interface HttpProxy {
  /** May hold a user name and a password. */
  readonly url: URL;
  /** The name of the variable that names it. */
  readonly variable: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy of requests to `address`, or undefined where they go straight to the server. */
export function proxyOf(
  address: string,
  environment: Environment = process.env,
): HttpProxy | undefined {
  const target = URL.canParse(address) ? new URL(address) : undefined;
  const protocol = target?.protocol;
  if (!target || (protocol !== 'http:' && protocol !== 'https:')) {
    return undefined;
  }
  return isExcepted(target, serversWithoutProxy(environment))
    ? undefined
    : proxyFor(protocol, environment);
}

/** The proxy of all addresses with this protocol that `NO_PROXY` does not except. */
export function proxyFor(
  protocol: 'http:' | 'https:',
  environment: Environment = process.env,
): HttpProxy | undefined {
  const found =
    variable(environment, `${protocol.slice(0, -1)}_proxy`) ?? variable(environment, 'all_proxy');
  return found && { url: proxyUrl(found), variable: found.name };
}

/** The servers that `NO_PROXY` names, as it names them. */
export function serversWithoutProxy(environment: Environment = process.env): string {
  return variable(environment, 'no_proxy')?.value ?? '';
}

/** The proxy as messages name it, without its password. */
export function nameOfProxy({ url, variable: name }: HttpProxy): string {
  return `the proxy ${url.protocol}//${url.host} (${name})`;
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

/** The variable by its name in lower case, or else in upper case. An empty one counts as absent. */
function variable(environment: Environment, lower: string): Variable | undefined {
  return [lower, lower.toUpperCase()]
    .map((name) => ({ name, value: environment[name]?.trim() ?? '' }))
    .find(({ value }) => value !== '');
}

function proxyUrl({ name, value }: Variable): URL {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url?.hostname) {
    throw new AmbryError(
      'BadValue',
      `The variable ${name} is not the address of a proxy. Write it as http://host:port.`,
      { path: name },
    );
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new AmbryError(
      'Unsupported',
      `The variable ${name} names a proxy for ${url.protocol}//, but only proxies for http:// and https:// are supported. Set ${name} to the HTTP address of your proxy.`,
      { path: name },
    );
  }
  return url;
}

/** Whether the list of `no_proxy` has this server: by name, with its subdomains, by address or by a range of addresses. */
function isExcepted(target: URL, list: string): boolean {
  const host = withoutBrackets(target.hostname);
  const port = target.port || (target.protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .some((entry) => matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') {
    return true;
  }
  if (entry.includes('/')) {
    return isInRange(entry, host);
  }
  const [, name = entry, wantedPort] =
    isIP(entry) === 6 ? [] : (/^(.*?)(?::(\d+))?$/.exec(entry) ?? []);
  const isPort = wantedPort === undefined || wantedPort === port;
  const wanted = withoutBrackets(name).replace(/^\*?\./, '');
  return isPort && (host === wanted || (!isIP(host) && host.endsWith(`.${wanted}`)));
}

/** Whether `range`, like `10.0.0.0/8`, has the address. */
function isInRange(range: string, host: string): boolean {
  const [network = '', bits = ''] = range.split('/');
  const family = isIP(network);
  const prefix = Number(bits);
  const isRange = /^\d+$/.test(bits) && prefix <= (family === 6 ? 128 : 32);
  if (family === 0 || !isRange || isIP(host) !== family) {
    return false;
  }
  const type = family === 6 ? 'ipv6' : 'ipv4';
  const addresses = new BlockList();
  addresses.addSubnet(network, prefix, type);
  return addresses.check(host, type);
}

const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1');
