import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config/config.ts';
import { aliasesByVariable, SETTINGS, settings } from '../../src/config/settings.ts';
import { openStore } from '../../src/store/open-store.ts';
import { KITH, PROJECT, run } from '../commands/run-kith.ts';
import { freePort } from '../support/free-port.ts';
import { startService } from '../support/service.ts';
import {
  caddyfile,
  containers,
  deployments,
  imageVariables,
  instruction,
  kubernetes,
  kustomization,
  secret,
  services,
  unit,
  unitVariables,
  type Variables,
} from './deploy-files.ts';

const own = Object.entries(services).filter(([, { build }]) => build !== undefined);

/** Variables for Kith, by the file that sets them. */
const configured: readonly (readonly [string, Variables])[] = [
  ['the Dockerfile', imageVariables],
  ...own.map(([name, { environment = {} }]) => [`${name} of compose.yaml`, environment] as const),
  ['the systemd unit', unitVariables],
  ['the Secret of Kubernetes', secret.stringData],
];

/** Read by libraries, not by Kith. */
const FOREIGN = ['NODE_ENV'];

const aliases = [...aliasesByVariable().values()].flat();

function isSetting(name: string): boolean {
  const known = [...SETTINGS.map((setting) => setting.name.replace('<chainId>', '\\d+')), ...aliases];
  return known.some((pattern) => new RegExp(`^${pattern}$`).test(name));
}

async function serveEmptyDatabase(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kith-deploy-'));
  const onError = (error: Error) => {
    throw error;
  };
  const store = await openStore({ engine: 'sqlite', path: join(folder, 'kith.db') }, { onError });
  const service = await startService(store);
  onTestFinished(async () => {
    await service.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return service.url;
}

const { OPERATIONS_PORT = '', INDEXER_OPERATIONS_PORT = '' } = imageVariables;
const PORT = settings.PORT.fallback;
const SHUTDOWN_DELAY_S = Number(settings.SHUTDOWN_DELAY_S.fallback);
/** What docs/deploying.md says that processes take to stop after that. */
const STOP_S = 14;

const named = <O extends { metadata: { name: string } }>(objects: readonly O[], name: string) =>
  objects.find(({ metadata }) => metadata.name === name);

describe.each(configured)('the variables of %s', (_, variables) => {
  it('are settings', () => {
    expect(Object.keys(variables).filter((name) => !isSetting(name) && !FOREIGN.includes(name))).toEqual([]);
  });

  it('have valid values', () => {
    expect(() => readConfig(variables)).not.toThrow();
  });
});

describe('the Dockerfile', () => {
  it('exposes the ports that it configures', () => {
    expect(instruction('EXPOSE').split(' ')).toEqual([PORT, OPERATIONS_PORT, INDEXER_OPERATIONS_PORT]);
  });

  it('sets the options of Node.js that the first line of bin/kith.js sets', () => {
    const [, options = ''] = /^#!\/usr\/bin\/env -S node (--.*)\n/.exec(readFileSync(KITH, 'utf8')) ?? [];
    expect(JSON.parse(instruction('ENTRYPOINT'))).toEqual(['node', ...options.split(' '), 'bin/kith.js']);
  });

  it('has a health check that fails if nothing listens', async () => {
    const [file = '', ...args] = healthCheck();
    const port = `${await freePort()}`;
    expect(await run(file, args, { env: { OPERATIONS_PORT: port } })).toMatchObject({ code: 1 });
  });

  it('has a health check that passes if the service answers', async () => {
    const { port } = new URL(await serveEmptyDatabase());
    const [file = '', ...args] = healthCheck();
    expect(await run(file, args, { env: { OPERATIONS_PORT: port } })).toMatchObject({ code: 0 });
  });

  it('starts a command that exists', () => {
    expect(JSON.parse(instruction('CMD'))).toEqual(['start']);
  });
});

function healthCheck(): string[] {
  const [, command = '[]'] = /CMD (\[.*\])$/.exec(instruction('HEALTHCHECK')) ?? [];
  const [node, ...args] = JSON.parse(command);
  expect(node).toBe('node');
  return [process.execPath, ...args];
}

describe('compose.yaml', () => {
  it('gives every service a profile', () => {
    const profiles = Object.values(services).flatMap((service) => service.profiles);
    expect([...new Set(profiles)].toSorted()).toEqual(['monitoring', 'postgres', 'sqlite']);
    expect(profiles).toHaveLength(Object.keys(services).length);
  });

  it('publishes the port of the image', () => {
    expect(services.kith?.ports).toEqual([`${PORT}:${PORT}`]);
  });

  it('limits the memory and the log of every service', () => {
    const limits = Object.entries(services).filter(([, { mem_limit = '', logging }]) => {
      return !/^\d+[mg]$/.test(mem_limit) || logging?.options['max-size'] === undefined;
    });
    expect(limits).toEqual([]);
  });

  it('gives long responses, which wait in memory, a quarter of it', () => {
    for (const [, { tmpfs, mem_limit, environment = {} }] of own) {
      expect({ tmpfs, mem_limit }).toEqual({ tmpfs: ['/tmp'], mem_limit: '2g' });
      expect(readConfig(environment).spoolBytes).toBeLessThanOrEqual(2 ** 31 / 4);
    }
  });

  it('names a version of every image that it does not build', () => {
    const foreign = Object.values(services).filter(({ build }) => build === undefined);
    for (const { image } of foreign) expect(image).toMatch(/:v?\d+(\.\d+)*$/);
  });

  it('allows more open files than there may be connections', () => {
    for (const [, { ulimits }] of own)
      expect(ulimits?.nofile).toBeGreaterThan(2 * Number(settings.MAX_CONNECTIONS.fallback));
  });

  it('gives processes the time that a shutdown takes', () => {
    for (const [, { stop_grace_period = '' }] of own) {
      expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThanOrEqual(SHUTDOWN_DELAY_S + STOP_S);
    }
  });

  it('mounts files that exist', () => {
    const mounted = Object.values(services)
      .flatMap(({ volumes = [] }) => volumes)
      .map((volume) => volume.split(':')[0] ?? '')
      .filter((source) => source.startsWith('./'));
    expect(mounted).toContain('./deploy/caddy/Caddyfile');
    expect(mounted.filter((source) => !existsSync(join(PROJECT, source)))).toEqual([]);
  });

  it('has the servers that the Caddyfile names', () => {
    const [, upstreams = ''] = /\{\$UPSTREAMS:(.*)\} \{/.exec(caddyfile) ?? [];
    const serving = own.filter(([name]) => name.startsWith('serve-')).map(([name]) => `${name}:${PORT}`);
    expect(upstreams.split(' ')).toEqual(serving);
  });

  it('has the operations port that the Caddyfile checks', () => {
    expect(/^\s*health_port (\d+)$/m.exec(caddyfile)?.[1]).toBe(OPERATIONS_PORT);
  });

  it.each(['sqlite', 'postgres'])('has the targets that Prometheus scrapes with the profile %s', (profile) => {
    const file = readFileSync(join(PROJECT, `deploy/prometheus/targets/${profile}.yml`), 'utf8');
    const targets = (parse(file) as { targets: string[] }[]).flatMap((group) => group.targets);
    const names = own.filter(([, { profiles }]) => profiles.includes(profile)).map(([name]) => name);
    expect(new Set(targets.map((target) => target.split(':')[0]))).toEqual(new Set(names));
    for (const target of targets) expect([OPERATIONS_PORT, INDEXER_OPERATIONS_PORT]).toContain(target.split(':')[1]);
  });
});

describe('the Kubernetes example', () => {
  it('names the ports of the image', () => {
    const ports = containers.flatMap((container) => container.ports);
    expect(new Set(ports.map(({ name, containerPort }) => `${name} ${containerPort}`))).toEqual(
      new Set([`http ${PORT}`, `operations ${OPERATIONS_PORT}`]),
    );
  });

  it('reads the settings from the Secret of the example', () => {
    const names = containers.flatMap(({ envFrom }) => envFrom.map(({ secretRef }) => secretRef.name));
    expect(names).toEqual([secret.metadata.name, secret.metadata.name]);
  });

  it('runs the version of package.json', () => {
    const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
    const [{ name, newTag } = expect.fail('no image')] = kustomization.images;
    expect(newTag).toBe(version);
    expect(containers.map(({ image }) => image)).toEqual([name, name]);
  });

  it('has two indexers, and two servers or more', () => {
    const [index, serve] = ['kith-index', 'kith-serve'].map((name) => named(deployments, name));
    expect(index?.spec.replicas).toBe(2);
    // A number here would undo what the autoscaler has set.
    expect(serve?.spec.replicas).toBeUndefined();
    const scaler = named(kubernetes('HorizontalPodAutoscaler'), 'kith-serve');
    expect(scaler?.spec.scaleTargetRef.name).toBe('kith-serve');
    expect(scaler?.spec.minReplicas).toBe(2);
  });

  it.each(deployments.map((deployment) => [deployment.metadata.name, deployment] as const))(
    'spreads %s over machines, keeps one at all times, and restricts connections to it',
    (name, { spec: { template } }) => {
      const { labels } = template.metadata;
      const spread = template.spec.topologySpreadConstraints.map(({ labelSelector }) => labelSelector.matchLabels);
      expect(spread).toEqual([labels]);
      const budget = named(kubernetes('PodDisruptionBudget'), name);
      expect(budget?.spec).toMatchObject({ minAvailable: 1, selector: { matchLabels: labels } });
      const policy = named(kubernetes('NetworkPolicy'), name);
      expect(policy?.spec).toMatchObject({ policyTypes: ['Ingress'], podSelector: { matchLabels: labels } });
    },
  );

  it('gives processes the time that a shutdown takes', () => {
    for (const { spec } of deployments) {
      const { terminationGracePeriodSeconds } = spec.template.spec;
      expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(SHUTDOWN_DELAY_S + STOP_S);
    }
  });

  it('lists its files in kustomization.yaml', () => {
    const folder = join(PROJECT, 'deploy/kubernetes');
    const { resources } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));
    const files = readdirSync(folder).filter((file) => !['kustomization.yaml', 'secret.yaml'].includes(file));
    expect(resources.toSorted()).toEqual(files.map((file) => file.replace('.example', '')).toSorted());
  });
});

describe('probes', () => {
  const probes = containers.flatMap((one) => [one.startupProbe, one.livenessProbe, one.readinessProbe]);
  const [, ofProxy = ''] = /health_uri (\S+)/.exec(caddyfile) ?? [];

  it('find a server that is about to stop within the shutdown delay', () => {
    const [{ spec } = expect.fail('no servers')] = deployments.filter(({ metadata }) => metadata.name === 'kith-serve');
    for (const { readinessProbe } of spec.template.spec.containers) {
      // The defaults of Kubernetes.
      const { periodSeconds = 10, failureThreshold = 3 } = readinessProbe;
      expect(periodSeconds * failureThreshold).toBeLessThan(SHUTDOWN_DELAY_S);
    }
    const [, seconds] = /^\s*health_interval (\d+)s$/m.exec(caddyfile) ?? [];
    expect(Number(seconds)).toBeLessThan(SHUTDOWN_DELAY_S);
  });

  it('are sent to the operations port in Kubernetes', () => {
    expect(new Set(probes.map(({ httpGet }) => httpGet.port))).toEqual(new Set(['operations']));
  });

  it.each([...new Set([ofProxy, ...probes.map(({ httpGet }) => httpGet.path)])])(
    'ask for %s, which exists',
    async (path) => {
      const { status } = await fetch(`${await serveEmptyDatabase()}${path}`);
      // /ready is 503 while the database is empty.
      expect([200, 503]).toContain(status);
    },
  );
});

describe('the systemd unit', () => {
  it('keeps the database in its state directory', () => {
    const [, folder] = /^StateDirectory=(.*)$/m.exec(unit) ?? [];
    expect(unitVariables.DATABASE_URL).toBe(`sqlite:/var/lib/${folder}/kith.db`);
    expect(unit).toMatch(new RegExp(`^WorkingDirectory=/var/lib/${folder}$`, 'm'));
  });
});
