import { describe, expect, it } from 'vitest';
import { DASHBOARD, PANELS, type Panel, QUERIES } from './dashboard.ts';

const SOURCE = '$' + '{datasource}';

describe('the Grafana dashboard', () => {
  it('has panels with different ids and titles', () => {
    const { panels } = DASHBOARD;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  });

  it('lets the reader choose data source, job and instance', () => {
    expect(DASHBOARD.templating.list.map(({ name, type }) => [name, type])).toEqual([
      ['datasource', 'datasource'],
      ['job', 'query'],
      ['instance', 'query'],
    ]);
  });

  it.each(PANELS)('has a description, a unit and queries for the panel $title', (panel) => {
    expect(panel.description).toMatch(/\w.*\.$/);
    expect(panel.fieldConfig?.defaults.unit).toMatch(/\w/);
    expect(panel.targets?.length).toBeGreaterThan(0);
    const sources = [panel, ...(panel.targets ?? [])].map(({ datasource }) => datasource?.uid);
    expect(new Set(sources)).toEqual(new Set([SOURCE]));
  });

  it('has no panels that overlap or exceed the width of the page', () => {
    const { panels } = DASHBOARD;
    const overlaps = panels.flatMap((one, i) => panels.slice(i + 1).filter((other) => overlap(one, other)));
    expect(overlaps.map(({ title }) => title)).toEqual([]);
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  });

  it('filters every series by job and instance', () => {
    const selectors = QUERIES.flatMap(({ expr }) => [...expr.matchAll(/kith_\w+(\{[^}]*\})?/g)]);
    expect(selectors.filter(([, matchers]) => !matchers?.startsWith('{job=~".*", instance=~".*"'))).toEqual([]);
  });
});

function overlap({ gridPos: a }: Panel, { gridPos: b }: Panel): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}
