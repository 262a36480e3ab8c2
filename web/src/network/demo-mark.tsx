import { STATUS_INTERVAL_MS, useStatus } from './use-status.ts';

/** Whether the data is a generated demo graph. */
export function useIsDemo(): boolean {
  return useStatus(STATUS_INTERVAL_MS).data?.isDemo ?? false;
}

/** Says that the accounts are not real. */
export function DemoMark() {
  if (!useIsDemo()) return null;
  return (
    <span class="chip" data-kind="warm" title="All accounts are generated, none of them is real">
      Demo data
    </span>
  );
}
