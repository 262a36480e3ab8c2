import type { TestProject } from 'vitest/node';
import { findChromium, findPrometheus } from './programs.ts';

/** Fails before the first test if a program is missing that npm does not install. */
export default function requirePrograms({ name }: TestProject): void {
  if (name === 'browser') findChromium();
  if (name === 'package') {
    findPrometheus('prometheus');
    findPrometheus('promtool');
  }
}
