import type { ImageRecord } from '@image-catalog/client';
import { usePrefetchQuery } from '@tanstack/react-query';
import { useCatalog } from '../catalog/use-catalog.ts';
import { IconButton } from '../controls/icon-button.tsx';
import { CropSection } from '../crops/crop-section.tsx';
import { namesQuery } from '../names/known-names.ts';
import { NameSection } from '../names/name-section.tsx';
import { useRights } from '../session/use-rights.ts';
import { Waiting } from '../states/waiting.tsx';
import { CameraFacts } from './camera-facts.tsx';
import { CreditFacts } from './credit-facts.tsx';
import { DownloadSection } from './download-section.tsx';
import { FileFacts } from './file-facts.tsx';
import { ForWebsites } from './for-websites.tsx';
import { LinkSection } from './link-section.tsx';
import { PanelLine } from './panel-line.tsx';
import { PanelTags } from './panel-tags.tsx';
import { panelTexts } from './panel-texts.ts';
import { PanelWords } from './panel-words.tsx';
import { SimilarPictures } from './similar-pictures.tsx';
import { TakenField } from './taken-field.tsx';
import { TakenText } from './taken-text.tsx';
import { type PanelMetadata, useMetadata } from './use-metadata.ts';
import './panel.css';

interface PanelProps {
  readonly record: ImageRecord;
  /** The field of the tags gets the focus as soon as it is there. */
  readonly focusTags: boolean;
  readonly onTagsFocused: () => void;
  readonly onShow: (record: ImageRecord) => void;
  readonly onClose: () => void;
}

/** What is known about the picture, editable in place. */
export function Panel(props: PanelProps): React.JSX.Element {
  const { record, onClose } = props;
  const details = useMetadata(record.id);
  // What comes together with the details moves nothing.
  usePrefetchQuery(namesQuery(useCatalog()));
  const { metadata, error, retry, save } = details;
  return (
    <>
      <div className="panel-header">
        <h2 className="panel-title">{panelTexts().label}</h2>
        <IconButton icon="close" label={panelTexts().close} onClick={onClose} />
      </div>
      <div className="panel-body" key={record.id}>
        {metadata === undefined ? (
          <Waiting error={error} retry={retry} back={onClose} />
        ) : (
          <Details {...props} metadata={metadata} save={save} />
        )}
      </div>
    </>
  );
}

interface DetailsProps extends PanelProps {
  readonly metadata: NonNullable<PanelMetadata['metadata']>;
  readonly save: PanelMetadata['save'];
}

/** In the order in which people ask for it. */
function Details({ record, metadata, save, onShow, ...tagFocus }: DetailsProps): React.JSX.Element {
  const rights = useRights();
  const { tags, focus, capture } = metadata;
  return (
    <>
      <PanelWords metadata={metadata} save={rights.write ? save : undefined} />
      <section className="panel-section">
        <PanelLine icon="calendar" label={panelTexts().taken}>
          {rights.write ? (
            <TakenField metadata={metadata} onSave={(takenAt) => save({ takenAt })} />
          ) : (
            <TakenText metadata={metadata} />
          )}
        </PanelLine>
        <CameraFacts capture={capture} />
        <CreditFacts capture={capture} />
        {(rights.write || tags.length > 0) && (
          <PanelLine icon="tag" label={panelTexts().tags}>
            {rights.write ? <PanelTags tags={tags} save={save} {...tagFocus} /> : <FixedTags tags={tags} />}
          </PanelLine>
        )}
        <FileFacts record={record} />
      </section>
      <section className="panel-section">
        <h3 className="panel-heading">{panelTexts().downloads}</h3>
        <DownloadSection record={record} />
      </section>
      <ForWebsites id={record.id}>
        <NameSection id={record.id} onShow={onShow} />
        {/* Services of earlier versions have none. */}
        {rights.write && focus !== undefined && (
          <CropSection record={record} focus={focus} onSave={(changed) => save({ focus: changed })} />
        )}
        <section className="panel-section">
          <h4 className="panel-heading">{panelTexts().links}</h4>
          <LinkSection record={record} metadata={metadata} />
        </section>
      </ForWebsites>
      <SimilarPictures id={record.id} onShow={onShow} />
    </>
  );
}

function FixedTags({ tags }: { readonly tags: readonly string[] }): React.JSX.Element {
  return (
    <ul className="panel-fixed-tags">
      {tags.map((tag) => (
        <li key={tag}>{tag}</li>
      ))}
    </ul>
  );
}
