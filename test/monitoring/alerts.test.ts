import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT } from '../commands/run-kith.ts';
import { findPrometheus } from '../support/programs.ts';

const FOLDER = join(PROJECT, 'deploy/prometheus');
const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const namesOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);

describe('the Prometheus configuration', () => {
  const promtool = (...args: readonly string[]) =>
    execFileSync(findPrometheus('promtool'), args, {
      cwd: FOLDER,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  it('is valid for promtool check config', () => {
    expect(promtool('check', 'config', 'prometheus.yml')).toContain('SUCCESS');
  });

  it('has alerts that fire in the situations of alerts.test.yml, and only then', () => {
    expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
  });

  it('tests every alert', () => {
    const alerts = namesOf(read('alerts.yml'), /- alert: (\w+)/g);
    expect(alerts.length).toBeGreaterThan(10);
    const tested = namesOf(read('alerts.test.yml'), /alertname="(\w+)"/g);
    expect(alerts.filter((alert) => !tested.includes(alert))).toEqual([]);
  });
});
