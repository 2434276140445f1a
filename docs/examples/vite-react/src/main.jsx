import { createRoot } from 'react-dom/client';
import { App } from './app.jsx';
import { isSignedIn, signIn } from './catalog.js';

const root = createRoot(document.querySelector('#root'));
try {
  root.render((await isSignedIn()) ? <App /> : <button onClick={signIn}>Sign in</button>);
} catch (error) {
  root.render(<p role="alert">{String(error)}</p>);
}
