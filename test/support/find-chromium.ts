import { canInstall, findOnPath, installPackage, isExecutable } from './debian.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const ON_MAC = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of an installed Chromium. Installs one if there is none and the process is root on Debian. */
export function findChromium(): string {
  const found = findInstalled();
  if (found !== undefined) return found;
  if (canInstall()) {
    installPackage('chromium');
    const installed = findInstalled();
    if (installed !== undefined) return installed;
  }
  throw new Error(
    'The tests of clients need Chromium. Install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to its executable.',
  );
}

function findInstalled(): string | undefined {
  const { CHROMIUM_PATH } = process.env;
  return CHROMIUM_PATH || findOnPath(NAMES) || ON_MAC.find(isExecutable);
}
