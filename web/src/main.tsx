import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/components.css';
import { App } from './app.tsx';
// Last, as they change what the others say.
import './styles/forced-colors.css';
import './styles/print.css';
import { connect } from './live/connection.ts';
import { refreshAfterEvents } from './live/refresh-requests.ts';

const root = document.getElementById('app');
if (root === null) throw new Error('the page has no element with the id "app"');
render(<App />, root);
connect();
refreshAfterEvents();
