import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './programs.ts';

/** Names of other hosts are not resolved, so that nothing leaves the machine. */
const LOOPBACK_ONLY = 'MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

/** Starts Chromium. */
export function launchChromium(hostRules = LOOPBACK_ONLY): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    // Without a process of its own for drawing, a page takes three quarters of the time.
    args: ['--disable-gpu', '--in-process-gpu', `--host-resolver-rules=${hostRules}`],
  });
}
