import { readFileSync } from 'node:fs';

interface Target {
  readonly refId: string;
  readonly expr: string;
  readonly legendFormat: string;
  readonly datasource: { readonly uid: string };
}

export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly datasource?: { readonly uid: string };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly targets?: readonly Target[];
}

interface Dashboard {
  readonly uid: string;
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly Panel[];
}

/** The dashboard that is shipped. */
export const DASHBOARD: Dashboard = JSON.parse(
  readFileSync(new URL('../../deploy/grafana/dashboards/kith.json', import.meta.url), 'utf8'),
);

/** The panels that show something. */
export const PANELS = DASHBOARD.panels.filter(({ type }) => type !== 'row');

/** Every query, as Grafana sends it with all jobs and instances selected. */
export const QUERIES = PANELS.flatMap(({ title, targets = [] }) =>
  targets.map(({ refId, expr, legendFormat }) => ({
    panel: title,
    refId,
    legendFormat,
    expr: expr.replaceAll('$job', '.*').replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m'),
  })),
);
