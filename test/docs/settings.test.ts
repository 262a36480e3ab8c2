import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderSettingsPage } from '../../scripts/settings-page.ts';

describe('docs/settings.md', () => {
  it('is the page that npm run docs:settings writes', () => {
    const page = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');
    expect(page).toBe(renderSettingsPage());
  });
});
