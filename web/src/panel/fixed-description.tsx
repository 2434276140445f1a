import type { ImageMetadata } from '@image-catalog/client';
import { panelTexts } from './panel-texts.ts';
import { TakenText } from './taken-text.tsx';

/** What people say about the picture, for a person who cannot change it. */
export function FixedDescription({ metadata }: { readonly metadata: ImageMetadata }): React.JSX.Element {
  const { title, description, tags } = metadata;
  return (
    <>
      {(title !== null || description !== null) && (
        <section className="panel-section">
          {title !== null && <p className="panel-fixed-title">{title}</p>}
          {description !== null && <p className="panel-fixed-text">{description}</p>}
        </section>
      )}
      {tags.length > 0 && (
        <section className="panel-section">
          <h3 className="panel-heading">{panelTexts().tags}</h3>
          <ul className="panel-fixed-tags">
            {tags.map((tag) => (
              <li key={tag}>{tag}</li>
            ))}
          </ul>
        </section>
      )}
      <section className="panel-section">
        <h3 className="panel-heading">{panelTexts().taken}</h3>
        <div className="panel-row-text">
          <TakenText metadata={metadata} />
        </div>
      </section>
    </>
  );
}
