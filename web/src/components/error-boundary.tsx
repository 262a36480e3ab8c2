import { Component, type ComponentChildren } from 'preact';
import { Problem } from './problem.tsx';

interface Props {
  /** Another path shows another page, which need not have the error. */
  readonly path: string;
  readonly children: ComponentChildren;
}

interface State {
  readonly error: Error | null;
}

/** Shows an error of rendering in place of the page, and leaves navigation and search usable. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static override getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override componentDidUpdate({ path }: Props) {
    if (path !== this.props.path && this.state.error !== null) this.setState({ error: null });
  }

  render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <Problem error={error} retry={() => location.reload()} />;
  }
}
