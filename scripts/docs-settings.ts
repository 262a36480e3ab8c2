import { writeFileSync } from 'node:fs';
import { renderSettingsPage } from './settings-page.ts';

writeFileSync(new URL('../docs/settings.md', import.meta.url), renderSettingsPage());
