import { Fragment } from 'preact';
import { markPart, rangeIn } from '../search/marked.tsx';
import { labelsOf } from './format.ts';

interface Props {
  /** Of an account, or its address. */
  readonly name: string;
  /** What to mark in it. */
  readonly term?: string;
}

/** A name, with its labels from left to right in every script. `isolate` does the same in plain text. */
export function Name({ name, term = '' }: Props) {
  const [from, to] = rangeIn(name, term);
  let next = 0;
  const labels = labelsOf(name).map((label) => {
    const start = next;
    next += label.length + 1;
    return markPart(label, from - start, to - start);
  });
  return (
    <bdi class="name" dir="ltr">
      {labels.length === 1
        ? labels
        : labels.map((label, index) => (
            <Fragment key={index}>
              {index > 0 && '.'}
              <bdi>{label}</bdi>
            </Fragment>
          ))}
    </bdi>
  );
}
