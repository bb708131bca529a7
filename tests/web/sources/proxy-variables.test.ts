// Which proxy the variables of the environment name for an address.
import { describe, expect, test } from 'vitest';
import { AmbryError } from '../../../web/src/base/errors.ts';
import { nameOfProxy, proxyOf } from '../../../web/src/sources/http/node-proxies.ts';

const proxy = 'http://proxy.example:3128';
const hrefOf = (address: string, environment: Record<string, string>) =>
  proxyOf(address, environment)?.url.href;

describe('the proxy of an address', () => {
  test.each([
    ['https://a.example/', { HTTPS_PROXY: proxy }, `${proxy}/`],
    ['https://a.example/', { https_proxy: proxy }, `${proxy}/`],
    ['https://a.example/', { HTTP_PROXY: proxy }, undefined],
    ['http://a.example/', { HTTP_PROXY: proxy }, `${proxy}/`],
    ['http://a.example/', { HTTPS_PROXY: proxy }, undefined],
    ['http://a.example/', { ALL_PROXY: proxy }, `${proxy}/`],
    [
      'https://a.example/',
      { https_proxy: 'http://lower:1', HTTPS_PROXY: proxy },
      'http://lower:1/',
    ],
    ['https://a.example/', { HTTPS_PROXY: proxy, ALL_PROXY: 'http://all:1' }, `${proxy}/`],
    ['https://a.example/', { HTTPS_PROXY: '' }, undefined],
    ['https://a.example/', { https_proxy: ' ', HTTPS_PROXY: proxy }, `${proxy}/`],
    ['https://a.example/', { HTTPS_PROXY: 'proxy.example:3128' }, `${proxy}/`],
    ['https://a.example/', { HTTPS_PROXY: 'https://p:443' }, 'https://p/'],
    ['data:,x', { ALL_PROXY: proxy }, undefined],
    ['file:///x', { ALL_PROXY: proxy }, undefined],
    ['http://', { ALL_PROXY: proxy }, undefined],
  ])('%s with %j is %s', (address, environment, href) => {
    expect(hrefOf(address, environment)).toBe(href);
  });

  test.each([
    ['*', 'https://a.example/', true],
    ['a.example', 'https://a.example/', true],
    ['A.Example', 'https://a.example/', true],
    ['example', 'https://a.example/', true],
    ['.example', 'https://a.example/', true],
    ['*.example', 'https://a.example/', true],
    ['xample', 'https://a.example/', false],
    ['b.example, a.example', 'https://a.example/', true],
    ['b.example a.example', 'https://a.example/', true],
    ['b.example,', 'https://a.example/', false],
    ['a.example:8443', 'https://a.example:8443/', true],
    ['a.example:8443', 'https://a.example/', false],
    ['a.example:443', 'https://a.example/', true],
    ['localhost', 'http://localhost:99/', true],
    ['127.0.0.1', 'http://127.0.0.1:99/', true],
    ['7.0.0.1', 'http://127.0.0.1:99/', false],
    ['10.0.0.0/8', 'http://10.20.30.40/', true],
    ['10.0.0.0/8', 'http://11.20.30.40/', false],
    ['10.0.0.0/99', 'http://10.0.0.0/', false],
    ['10.0.0.0/', 'http://10.0.0.0/', false],
    ['::1', 'http://[::1]:99/', true],
    ['[::1]', 'http://[::1]:99/', true],
    ['[::1]:99', 'http://[::1]:99/', true],
    ['[::1]:98', 'http://[::1]:99/', false],
    ['fd00::/8', 'http://[fd12::1]/', true],
    ['10.0.0.0/8', 'http://[fd12::1]/', false],
  ])('NO_PROXY=%s excepts %s: %s', (list, address, isExcepted) => {
    const found = hrefOf(address, { ALL_PROXY: proxy, NO_PROXY: list });
    expect(found).toBe(isExcepted ? undefined : `${proxy}/`);
  });

  test.each([
    ['socks5://127.0.0.1:1080', 'Unsupported', /socks5:/],
    ['http://', 'BadValue', /http:\/\/host:port/],
    ['http://a b', 'BadValue', /http:\/\/host:port/],
  ])('%s is refused', (value, code, message) => {
    const find = () => proxyOf('https://a.example/', { HTTPS_PROXY: value });
    expect(find).toThrow(AmbryError);
    expect(find).toThrow(expect.objectContaining({ code, path: 'HTTPS_PROXY' }));
    expect(find).toThrow(message);
  });

  test('is named without its password', () => {
    const found = proxyOf('https://a.example/', { HTTPS_PROXY: 'http://me:secret@p.example:1' });
    expect(found && nameOfProxy(found)).toBe('the proxy http://p.example:1 (HTTPS_PROXY)');
  });
});
