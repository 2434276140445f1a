import { useEffect, useState } from 'react';
import { Picture } from './picture.jsx';
import { listPictures, publish } from './pictures.js';

export function App() {
  const [pictures, setPictures] = useState([]);
  const [status, setStatus] = useState('');
  const show = (work) =>
    work
      .then(listPictures)
      .then(setPictures)
      .catch((error) => setStatus(String(error)));
  useEffect(() => void show(Promise.resolve()), []);
  const submit = (event) => {
    event.preventDefault(); // With `action`, React would empty the form even if nothing was published.
    void show(publish(event.currentTarget).then(() => setStatus('Published.')));
  };
  return (
    <main>
      <form onSubmit={submit}>
        <label>
          Name <input name="name" required pattern="[\w\-][\w.\-]*" maxLength={128} />
        </label>{' '}
        <label>
          Picture <input type="file" name="file" accept="image/*" required />
        </label>{' '}
        <button>Publish</button> <span role="status">{status}</span>
      </form>
      <ul>
        {pictures.map((one) => (
          <li key={one.name.name}>
            <Picture {...one} />
          </li>
        ))}
      </ul>
    </main>
  );
}
