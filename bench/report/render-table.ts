import type { Bar, Table } from './findings.ts';

/** An aligned Markdown table: first column left, the others right. */
export function renderTable({ columns, rows }: Pick<Table, 'columns' | 'rows'>): string {
  const widths = columns.map((title, i) => Math.max(3, title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, i) => (i === 0 ? (cells[i] ?? '').padEnd(width) : (cells[i] ?? '').padStart(width))).join(' | ')} |`;
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(columns), rule, ...rows.map(line)].join('\n');
}

export function renderBars(bars: readonly Bar[]): string {
  return renderTable({
    columns: ['what', 'bar', 'measured', ''],
    rows: bars.map(({ what, bar, measured, isReached }) => [what, bar, measured, isReached ? 'reached' : 'MISSED']),
  });
}
