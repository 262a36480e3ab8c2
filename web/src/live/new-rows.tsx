import '../styles/live.css';

interface Props {
  readonly count: number;
  /** Whether there may be more than were counted. */
  readonly isMore: boolean;
  /** What the rows are, in the singular. */
  readonly noun: string;
  readonly onShow: () => void;
}

/** The button that shows what has arrived, so that no row moves before somebody wants it to. */
export function NewRows({ count, isMore, noun, onShow }: Props) {
  return (
    <p class="new-rows" role="status">
      {count > 0 && (
        <button type="button" class="quiet" onClick={onShow}>
          {`${count}${isMore ? '+' : ''} new ${noun}${count === 1 ? '' : 's'} · show`}
        </button>
      )}
    </p>
  );
}
