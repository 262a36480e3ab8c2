import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { PROJECT } from '../commands/run-kith.ts';

export type Variables = Readonly<Record<string, string>>;

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');

interface ComposeService {
  readonly build?: string;
  readonly image: string;
  readonly profiles: readonly string[];
  readonly environment?: Variables;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly mem_limit?: string;
  readonly logging?: { readonly options: Variables };
  readonly ulimits?: { readonly nofile: number };
  readonly stop_grace_period?: string;
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds?: number;
  readonly failureThreshold?: number;
}

interface Container {
  readonly image: string;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly envFrom: readonly { readonly secretRef: { readonly name: string } }[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}

/** `${NAME:-default}` becomes the default. */
const interpolated = read('compose.yaml').replace(/\$\{\w+:-([^}]*)\}/g, '$1');
export const services: Readonly<Record<string, ComposeService>> = parse(interpolated, { merge: true }).services;

const dockerfile = read('Dockerfile').replace(/\\\n\s*/g, '');
export const caddyfile = read('deploy/caddy/Caddyfile');

/** What an instruction of the Dockerfile says. */
export function instruction(name: string): string {
  return new RegExp(`^${name} (.*)$`, 'm').exec(dockerfile)?.[1] ?? '';
}

const assignments = (text: string): Variables =>
  Object.fromEntries([...text.matchAll(/(\w+)=(\S*)/g)].map(([, name = '', value = '']) => [name, value]));

export const imageVariables = assignments(instruction('ENV'));

export const unit = read('deploy/systemd/kith.service');
export const unitVariables = assignments([...unit.matchAll(/^Environment=(.*)$/gm)].map(([, line]) => line).join(' '));

const KUBERNETES = 'deploy/kubernetes';
const objects = readdirSync(join(PROJECT, KUBERNETES))
  .filter((file) => !/^(kustomization|secret)\.yaml$/.test(file))
  .flatMap((file) => parseAllDocuments(read(join(KUBERNETES, file))))
  .map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  });
export const secret: { metadata: { name: string }; stringData: Variables } = objects.find(
  ({ kind }) => kind === 'Secret',
);

interface Deployment {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas?: number;
    readonly template: {
      readonly metadata: { readonly labels: Variables };
      readonly spec: {
        readonly containers: readonly Container[];
        readonly terminationGracePeriodSeconds: number;
        readonly topologySpreadConstraints: readonly { readonly labelSelector: { readonly matchLabels: Variables } }[];
      };
    };
  };
}

/** The objects of a kind. */
export const kubernetes = (kind: string) => objects.filter((object) => object.kind === kind);
export const deployments: readonly Deployment[] = kubernetes('Deployment');
export const containers = deployments.flatMap(({ spec }) => spec.template.spec.containers);
export const kustomization: { images: { name: string; newTag: string }[] } = parse(
  read(join(KUBERNETES, 'kustomization.yaml')),
);
