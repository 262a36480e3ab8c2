import { it } from 'vitest';
import { engines } from '../support/engines.ts';
import { startService, fetchAnswer } from '../support/service.ts';
import { loadDemo } from '../../src/demo/load-demo.ts';
import { demoSamples } from '../../src/demo/demo-samples.ts';
import { writeFileSync } from 'node:fs';
it.each(engines)('explore $name', async (engine) => {
  const db = await engine.create();
  const store = await db.open();
  const opts = { accounts: 300, seed: 1, now: 1_760_000_000 };
  const t = Date.now();
  console.log(await loadDemo(store, opts, () => undefined), Date.now() - t, demoSamples(opts));
  const s = await startService(store, { now: () => opts.now * 1000 });
  const out: unknown[] = [];
  const { address, name, list } = demoSamples(opts);
  for (const p of [`/lists/${list}/details`, `/users/${name}/badges`, `/lists/${list}/badges`, '/leaderboard/search?limit=3', `/users/${address}/notifications?interval=all&limit=4`, `/users/${address}/followers`, `/lists/${list}/followers?limit=2`]) {
    const a = await s.get(p); out.push(p, a.status, Object.fromEntries(a.headers), a.json);
  }
  for (const p of ['/health','/ready','/status','/docs','/','/openapi.json','/metrics','/docs/static/nope', '/docs/json']) { const a = await fetchAnswer(s.url + p, {redirect:'manual'}); out.push(p, a.status, Object.fromEntries(a.headers), a.json ?? a.text); }
  for (const [m, h, b] of [['POST',{},undefined],['POST',{'content-type':'application/json'},'{}'],['POST',{'content-type':'application/json'},'{'],['POST',{'content-type':'text/xml'},'<a/>'],['POST',{'content-type':'application/x-www-form-urlencoded'},'a=b'],['DELETE',{'content-type':'application/json'},''], ['PUT',{'content-type':'text/plain'},'x'.repeat(2_000_000)]] as const) {
    const a = await s.get(`/users/${address}/followers`, { method: m, headers: h, body: b ?? null }).catch((e) => ({status: String(e), headers: [], json: null})); out.push(m, h, a.status, a.json);
  }
  writeFileSync(`/tmp/httpx/${engine.name}.json`, JSON.stringify(out, null, 1));
  await s.close(); await store.close(); await db.drop();
});
