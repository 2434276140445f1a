import { Icon } from '../controls/icon.tsx';
import { closePopover } from '../controls/popover.tsx';
import { commonTexts } from '../languages/common-texts.ts';
import { ViewLink } from '../view-state/view-link.tsx';
import { NO_FILTERS } from '../view-state/view-state.ts';

/** In the menu of the account. */
export function TrashLink(): React.JSX.Element {
  return (
    <ViewLink
      className="popover-item"
      view={{ ...NO_FILTERS, page: 'trash' }}
      onClick={({ currentTarget }) => closePopover(currentTarget)}
    >
      <Icon name="trash" />
      {commonTexts().trash}
    </ViewLink>
  );
}
