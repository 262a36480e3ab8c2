import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/components.css';
import { App } from './app.tsx';

const root = document.getElementById('app');
if (root === null) throw new Error('the page has no element with the id "app"');
render(<App />, root);
