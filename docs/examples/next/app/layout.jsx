import './page.css';

export const metadata = { title: 'Pictures with Next.js' };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
