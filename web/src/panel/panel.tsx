import type { ImageMetadata, ImageRecord } from '@image-catalog/client';
import { usePrefetchQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { formatMediaType } from '../base/media-types.ts';
import { formatDimensions } from '../catalog/file-facts.ts';
import { useCatalog } from '../catalog/use-catalog.ts';
import { IconButton } from '../controls/icon-button.tsx';
import { CropSection } from '../crops/crop-section.tsx';
import { focusResultCount } from '../images/result-count.tsx';
import { commonTexts } from '../languages/common-texts.ts';
import { formats } from '../languages/formats.ts';
import { namesQuery } from '../names/known-names.ts';
import { NameSection } from '../names/name-section.tsx';
import { useRights } from '../session/use-rights.ts';
import { useSession } from '../session/use-session.ts';
import { Waiting } from '../states/waiting.tsx';
import { TagInput } from '../tags/tag-input.tsx';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { type CaptureLine, captureLines } from './capture-text.ts';
import { DownloadSection } from './download-section.tsx';
import { EditableText } from './editable-text.tsx';
import { FixedDescription } from './fixed-description.tsx';
import { LinkSection } from './link-section.tsx';
import { panelTexts } from './panel-texts.ts';
import { SimilarPictures } from './similar-pictures.tsx';
import { TakenField } from './taken-field.tsx';
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
export function Panel({ record, focusTags, onTagsFocused, onShow, onClose }: PanelProps): React.JSX.Element {
  const details = useMetadata(record.id);
  // What comes together with the details moves nothing.
  usePrefetchQuery(namesQuery(useCatalog()));
  const rights = useRights();
  const { metadata, error, retry } = details;
  return (
    <>
      <div className="panel-header">
        <h2 className="panel-title">{panelTexts().label}</h2>
        <IconButton icon="close" label={panelTexts().close} onClick={onClose} />
      </div>
      <div className="panel-body" key={record.id}>
        {metadata !== undefined && (
          <>
            {rights.write ? (
              <Description
                record={record}
                details={details}
                metadata={metadata}
                focusTags={focusTags}
                onTagsFocused={onTagsFocused}
              />
            ) : (
              <FixedDescription metadata={metadata} />
            )}
            <Facts record={record} metadata={metadata} />
            <section className="panel-section">
              <h3 className="panel-heading">{panelTexts().links}</h3>
              <LinkSection record={record} metadata={metadata} />
            </section>
            <NameSection id={record.id} onShow={onShow} />
            <section className="panel-section">
              <h3 className="panel-heading">{panelTexts().downloads}</h3>
              <DownloadSection record={record} />
            </section>
            <SimilarPictures id={record.id} onShow={onShow} />
          </>
        )}
        {metadata === undefined && <Waiting error={error} retry={retry} back={onClose} />}
      </div>
    </>
  );
}

interface DescriptionProps {
  readonly record: ImageRecord;
  readonly details: PanelMetadata;
  readonly metadata: ImageMetadata;
  readonly focusTags: boolean;
  readonly onTagsFocused: () => void;
}

/** What people say about the picture. */
function Description(props: DescriptionProps): React.JSX.Element {
  const { record, details, metadata, focusTags, onTagsFocused } = props;
  const tagField = useRef<HTMLInputElement>(null);
  const [tagError, setTagError] = useState<string>();
  const { title, description, tags } = metadata;
  const { save } = details;
  useEffect(() => {
    if (!focusTags || tagField.current === null) return;
    tagField.current.focus();
    onTagsFocused();
  }, [focusTags, onTagsFocused]);

  async function saveTags(changed: readonly string[]): Promise<void> {
    setTagError(await save({ tags: changed }));
  }

  return (
    <>
      <section className="panel-section">
        <EditableText
          kind="title"
          label={commonTexts().title}
          placeholder={panelTexts().addTitle}
          value={title}
          onSave={(value) => save({ title: value })}
        />
        <EditableText
          kind="text"
          label={commonTexts().description}
          placeholder={panelTexts().addDescription}
          value={description}
          onSave={(value) => save({ description: value })}
        />
      </section>
      <section className="panel-section">
        <h3 className="panel-heading">{panelTexts().tags}</h3>
        <TagInput
          label={panelTexts().tags}
          tags={tags}
          error={tagError}
          inputRef={tagField}
          onEscape={() => tagField.current?.closest('dialog')?.focus()}
          onAdd={(added) => void saveTags([...tags, ...added])}
          onRemove={(removed) => void saveTags(tags.filter((tag) => tag !== removed))}
        />
      </section>
      <section className="panel-section">
        <h3 className="panel-heading">{panelTexts().taken}</h3>
        <TakenField metadata={metadata} onSave={(takenAt) => save({ takenAt })} />
      </section>
      {/* Services of earlier versions have none. */}
      {metadata.focus !== undefined && (
        <CropSection record={record} focus={metadata.focus} onSave={(focus) => save({ focus })} />
      )}
    </>
  );
}

interface FactsProps {
  readonly record: ImageRecord;
  readonly metadata: ImageMetadata;
}

/** What the camera and the file say. */
function Facts({ record, metadata }: FactsProps): React.JSX.Element {
  const lines = captureLines(metadata.capture);
  return (
    <>
      {lines.length > 0 && (
        <section className="panel-section">
          <h3 className="panel-heading">{panelTexts().camera}</h3>
          {lines.map((line) => (
            <CaptureFact key={line.kind} line={line} />
          ))}
        </section>
      )}
      <section className="panel-section">
        <h3 className="panel-heading">{panelTexts().file}</h3>
        <p className="panel-name">{record.originalName}</p>
        <p>{formatDimensions(record)}</p>
        <p>
          {formatMediaType(record.mediaType)} · {formats().size(record.size)}
        </p>
        <p className="panel-secondary">{panelTexts().uploaded(formats().time(record.createdAt))}</p>
        <Uploader by={record.createdBy} />
      </section>
    </>
  );
}

/** The camera and the lens add a filter to the view. */
function CaptureFact({ line }: { readonly line: CaptureLine }): React.JSX.Element {
  const addressBar = useAddressBar();
  const { kind, text, filter } = line;
  if (filter === undefined || (kind !== 'camera' && kind !== 'lens')) return <p>{text}</p>;
  return (
    <button
      type="button"
      className="panel-filter"
      title={panelTexts().filterBy[kind]}
      onClick={() => {
        addressBar.push({ ...filter, image: undefined });
        // When the viewer is closed: the grid gets other pictures, and loses the focus with them.
        requestAnimationFrame(focusResultCount);
      }}
    >
      {text}
    </button>
  );
}

/** @param by the subject of a token: the service knows no name */
function Uploader({ by }: { readonly by: string | null }): React.JSX.Element | null {
  const session = useSession();
  // Services of earlier versions do not say it.
  if (typeof by !== 'string') return null;
  const text = by === session.subject ? panelTexts().uploadedByYou : panelTexts().uploadedBy(by);
  return <p className="panel-secondary">{text}</p>;
}
