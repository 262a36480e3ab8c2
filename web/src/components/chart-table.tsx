import '../styles/chart.css';

interface Props {
  /** What the chart shows. */
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly heading: string; readonly values: readonly string[] }[];
}

/** What a chart shows, to read. The first column has the time. */
export function ChartTable({ label, columns, rows }: Props) {
  return (
    <details class="chart-table">
      <summary>As a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Time</th>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ heading, values }) => (
              <tr key={heading}>
                <th scope="row">{heading}</th>
                {values.map((value, index) => (
                  <td key={index}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
