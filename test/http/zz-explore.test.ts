import { it } from 'vitest';
import { engines } from '../support/engines.ts';
import { startService, fetchAnswer } from '../support/service.ts';
import net from 'node:net';
const send = (port: number, bytes: string | Buffer, ms = 1500) => new Promise<string>((resolve) => {
  const s = net.connect(port, '127.0.0.1'); let got = '';
  s.on('data', (d) => { got += d.toString('latin1'); }); s.on('close', () => resolve(got)); s.on('error', (e) => { got += String(e); });
  s.write(bytes); setTimeout(() => { got += ' [still open]'; s.destroy(); }, ms);
});
it('explore', async () => {
  const db = await engines[0]!.create();
  const store = await db.open();
  const A = '0x' + '1'.repeat(40);
  for (const body of ['x'.repeat(2_000_000), 'x'.repeat(70_000), 'x'.repeat(1_100_000)]) {
    const s = await startService(store);
    const a = await s.get(`/users/${A}/followers`, { method: 'PUT', headers: {'content-type': 'text/plain'}, body }).catch((e) => ({status: String(e)}));
    const t = Date.now();
    await Promise.race([s.close(), new Promise((r) => setTimeout(r, 5000))]);
    console.log(body.length, a.status, 'close took', Date.now() - t);
  }
  const s = await startService(store);
  const port = Number(new URL(s.url).port);
  const P = `/api/v1/users/${A}/followers`;
  for (const raw of [
    `GET ${P} HTTP/1.1\r\n\r\n`,
    `GET ${P} HTTP/1.0\r\n\r\n`,
    `GET ${P} HTTP/1.1\r\nHost: x\r\nExpect: bogus\r\nConnection: close\r\n\r\n`,
    `GET http://x${P} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    `CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET ${P} HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
    `GET ${P} HTTP/9.9\r\nHost: x\r\n\r\n`,
    `OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    `OPTIONS ${P} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccess-Control-Request-Headers: \xff\t\x80x\r\n\r\n`,
    `TRACE ${P} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    `GARBAGE\r\n\r\n`, `\x16\x03\x01\x02`, `GET ${'/a'.repeat(20000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET / /x HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET /a\x80\xff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    `GET /docs/static/..%2f..%2fpackage.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    `GET /docs/static/../../package.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    `GET /docs/static/%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    `GET /docs/static/.git HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    `GET /docs/static HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    `GET /docs/static/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    `GET /docs/static/swagger-ui.css HTTP/1.1\r\nHost: x\r\nRange: bytes=999999999-\r\nConnection: close\r\n\r\n`,
    `GET /docs/static/swagger-ui.css HTTP/1.1\r\nHost: x\r\nIf-Match: "x"\r\nConnection: close\r\n\r\n`,
    `GET /docs/static/swagger-ui.css HTTP/1.1\r\nHost: x\r\nIf-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT\r\nConnection: close\r\n\r\n`,
    `GET /api/v1/lists//details HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    `GET /api/v1/lists/%zz/details HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    `GET /api/v1/lists/%2f/details HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    `POST ${P} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    `POST ${P} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`,
    `GET ${P} HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20000)}\r\n\r\n`,
    `GET ${P}?limit=${'9'.repeat(15000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    `GET ${P}#cache=fresh HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  ]) console.log(JSON.stringify(raw.slice(0, 120)), '\n   =>', JSON.stringify((await send(port, Buffer.from(raw, 'latin1'))).slice(0, 900)));
  for (const [m, p] of [['GET', '/docs/static/swagger-initializer.js'], ['GET','/docs/static/index.css'], ['GET', '/docs/'], ['GET','/docs/index.html'], ['HEAD','/docs'], ['POST','/docs'], ['POST','/'], ['POST','/health'],['POST','/openapi.json'], ['POST','/docs/static/x']] as const) { const a = await fetchAnswer(s.url + p, {method: m, redirect:'manual'}); console.log(m, p, a.status, a.text.slice(0, 1500)); }
  const bundle = (await fetchAnswer(s.url + '/docs/static/swagger-ui.css')).text; console.log(bundle.match(/url\((?!data:)[^)]*\)|@import[^;]*/g)?.slice(0,10));
  await s.close(); await store.close(); await db.drop();
}, 200000);
