import { measureEvents } from '../events/measure-events.ts';
import type { Part } from './part.ts';

export const events: Part = { name: 'events', title: 'Event streams', run: measureEvents };
