import { Icon } from '../controls/icon.tsx';
import { ViewLink } from '../view-state/view-link.tsx';
import { NO_FILTERS } from '../view-state/view-state.ts';
import { copiesPageTexts } from './copies-page-texts.ts';

interface CopiesLinkProps extends Omit<React.ComponentProps<'a'>, 'children'> {
  readonly label?: string;
}

/** To the page of copies. */
export function CopiesLink({
  label = copiesPageTexts().title,
  ...props
}: CopiesLinkProps): React.JSX.Element {
  return (
    <ViewLink {...props} view={{ ...NO_FILTERS, page: 'copies', image: undefined }}>
      <Icon name="compare" />
      {label}
    </ViewLink>
  );
}
