import { formatsOf } from './formats.ts';

const formats = formatsOf('en-GB');
const { number, list, plural } = formats;
const pictures = plural({ one: '# picture', other: '# pictures' });
const newPictures = plural({ one: '# new picture', other: '# new pictures' });
const files = plural({ one: '# file', other: '# files' });
const suggestions = plural({ one: '# suggestion', other: '# suggestions' });

const picturesMissing = plural({
  one: '# picture has been deleted.',
  other: '# pictures have been deleted.',
});
const tagsChanged = plural({ one: 'Tags of # picture changed.', other: 'Tags of # pictures changed.' });
const tagsFull = plural({
  one: '# picture would have more than 100 tags and stays selected.',
  other: '# pictures would have more than 100 tags and stay selected.',
});
const tagsNotChanged = plural({
  one: '# picture could not be changed and stays selected.',
  other: '# pictures could not be changed and stay selected.',
});

const starSet = plural({ one: 'Picture starred', other: '# pictures starred' });
const starRemoved = plural({ one: 'Star removed', other: 'Stars of # pictures removed' });
const starRefused = plural({
  one: '# picture has 100 tags already, and no room for a star.',
  other: '# pictures have 100 tags already, and no room for a star.',
});
const picturesChanged = plural({ one: '# picture changed.', other: '# pictures changed.' });
const tags = plural({ one: '# tag', other: '# tags' });
const days = plural({ one: '# day', other: '# days' });

interface TagCounts {
  readonly updated: readonly number[];
  readonly missing: readonly number[];
  readonly refused: readonly number[];
  readonly left: readonly number[];
}

interface ShortcutSection {
  readonly title: string;
  /** Each key with what it does; `mod` is ⌘ or Ctrl. */
  readonly keys: ReadonlyArray<
    readonly [keys: readonly string[], effect: string, needs?: 'write' | 'delete']
  >;
}

/** The first word of each is shown, all are understood. */
type FilterWords = readonly [shown: string, ...others: string[]];

export type RelativeDate =
  | 'today'
  | 'yesterday'
  | 'thisMonth'
  | 'lastMonth'
  | 'thisYear'
  | 'lastYear'
  | 'last7Days'
  | 'last30Days';

export type DateSide = 'since' | 'after' | 'until' | 'before' | 'between';

/** Every text of the gallery. A section per folder. It is the language of those for whose languages there is no file. */

export const english = {
  formats,
  app: {
    title: 'Catalog',
    titleOf: (view: string) => `${view} – Catalog`,
    picture: (id: number) => `Picture ${id}`,
    loading: 'Loading the gallery…',
    failed: 'The gallery cannot be loaded',
    failedHint: 'Check the connection. The gallery tries again when the device is online.',
    retry: 'Try again',
    skip: 'Skip to the pictures',
    broken: 'This part of the gallery has failed.',
    reload: 'Reload the page',
  },
  states: {
    signedOut: 'Sign in to see the pictures',
    signedOutHint: 'The pictures of this catalog are private.',
    signIn: 'Sign in',
    signInAgain: 'Sign in again',
    ended: 'Your session has ended. Sign in again to continue where you were.',
    noClient: 'Sign-in is not set up',
    noClientHint: 'The operator of the catalog sets WEB_CLIENT_ID on the service.',
    problem: {
      denied: 'You are not signed in: access was denied.',
      ended: 'Your session has ended. Sign in again to continue.',
      lost: 'The sign-in was interrupted. Sign in again.',
      unreachable: 'The identity provider cannot be reached. Try again in a moment.',
      insecure: 'Sign-in needs a secure connection. Open the gallery with https://.',
      refused: (message: string) => `The identity provider refused the sign-in: ${message}.`,
    },
    updated: 'The gallery was updated.',
    reload: 'Reload',
    offline: 'You are offline. The gallery continues when the connection is back.',
    unreachable: 'The catalog cannot be reached.',
    busy: 'The catalog is busy.',
    provider: 'Your session cannot be renewed: the identity provider cannot be reached.',
    retryIn: (seconds: number) => `Next try in ${seconds} s`,
    retrying: 'Trying…',
    retryNow: 'Try now',
    readOnly: 'The catalog is read-only at present: it can be viewed, but not changed.',
    spaceMissing: 'This account has no space in the catalog',
    spaceMissingHint:
      'The sign-in has worked, but it does not say which space is yours. Ask the operator of the catalog: the token needs the claim that SPACE_CLAIM names on the service. Then sign in again.',
    forbidden: (scope: string | undefined) =>
      scope === undefined
        ? 'You have no permission for this. Ask the operator of the catalog.'
        : `You have no permission for this. Ask the operator for the scope ${scope}.`,
    refused: (message: string) => `The catalog does not accept your sign-in: ${message}.`,
    /** Of errors of the service. */
    codes: {
      image_not_found: 'The picture is not there any more',
      internal_error: 'The catalog had an error',
      unexpected_response: 'The catalog sent an unexpected response',
      precondition_failed: 'The picture has been changed meanwhile',
      quota_exceeded: 'The space is full',
      request_too_large: 'That is too much at a time',
      link_expired: 'The link has expired',
      cursor_expired: 'The list is too old',
    },
    said: (message: string) => message,
    failed: (message: string, requestId: string | undefined) =>
      requestId === undefined ? `${message}.` : `${message}. Request ${requestId}.`,
  },
  grid: {
    label: 'Pictures',
    loading: 'Loading pictures',
    month: formats.period,
    count: number,
    selectMonth: (month: string): string => `Select ${month}`,
  },
  scrubber: {
    label: 'Timeline',
    month: (month: string, count: number): string => `${month}: ${number(count)}`,
  },
  live: {
    waiting: (count: number): string => newPictures(count),
    announced: 'There are new pictures',
  },
  star: {
    filter: 'Starred',
    set: 'Star',
    starred: (name: string): string => `${name}, starred`,
    said: (count: number, isStarred: boolean): string => (isStarred ? starSet(count) : starRemoved(count)),
    refused: (count: number): string => starRefused(count),
  },
  selection: {
    tooMany: (most: number): string => `At most ${number(most)} pictures can be selected at a time.`,
    failed: 'The pictures in between could not be loaded. Nothing was selected.',
    label: 'Selected pictures',
    selected: (count: number): string => `${number(count)} selected`,
    clear: 'Clear the selection',
    more: 'More',
    actions: {
      all: 'Select all',
      star: 'Star',
      share: 'Share as a page',
      edit: 'Edit title and time',
      compare: 'Compare',
      tag: 'Tag',
      download: 'Download',
      delete: 'Delete',
    },
    tagsOf: (count: number): string => `Tags of ${pictures(count)}`,
    add: 'Add tags',
    remove: 'Remove tags',
    removeTag: (count: number): string => (count === 1 ? 'picture: remove' : 'pictures: remove'),
    present: 'Tags of these pictures',
    apply: 'Apply',
    cancel: 'Cancel',
    progress: (done: number, count: number): string => `${number(done)} of ${pictures(count)}`,
    tagged: ({ updated, missing, refused, left }: TagCounts): string =>
      [
        updated.length > 0 ? tagsChanged(updated.length) : '',
        missing.length > 0 ? picturesMissing(missing.length) : '',
        refused.length > 0 ? tagsFull(refused.length) : '',
        left.length > 0 ? tagsNotChanged(left.length) : '',
      ]
        .filter(Boolean)
        .join(' '),
    missing: picturesMissing,
  },
  viewer: {
    label: 'Picture',
    loading: 'Loading the picture…',
    deleted: 'This picture was deleted.',
    failed: 'The picture could not be loaded.',
    pictureFailed: 'The picture could not be loaded in full.',
    retry: 'Try again',
    close: 'Back to the pictures',
    zoomIn: 'Zoom in',
    zoomOut: 'Show the whole picture',
    download: 'Download the original',
    delete: 'Delete',
    panel: 'Details',
    previous: 'Previous picture',
    next: 'Next picture',
    first: 'This is the first picture',
    last: 'This is the last picture',
    place: (position: number, count: number): string => `${number(position)} of ${number(count)}`,
  },
  panel: {
    label: 'Details',
    close: 'Close the details',
    loading: 'Loading the details…',
    failed: 'The details could not be loaded.',
    retry: 'Try again',
    title: 'Title',
    addTitle: 'Add a title',
    description: 'Description',
    addDescription: 'Add a description',
    tags: 'Tags',
    taken: 'Taken',
    takenUnknown: 'Unknown',
    byCamera: 'From the camera',
    byHand: 'Set by hand',
    editTaken: 'Edit the time',
    time: 'Date and time',
    offset: 'Difference to UTC',
    offsetHint: 'Optional, as in +02:00',
    save: 'Save',
    cancel: 'Cancel',
    cameraTime: 'Use the time of the camera',
    clearTaken: 'Remove the time',
    takenProblem: {
      time: 'Enter a date and a time.',
      offset: 'Enter a difference as in +02:00, at most 14 hours.',
    },
    camera: 'Camera',
    directions: { north: 'N', south: 'S', east: 'E', west: 'W' },
    file: 'File',
    uploaded: (time: string): string => `Added ${time} UTC`,
    uploadedBy: (subject: string): string => `Uploaded by ${subject}`,
    uploadedByYou: 'Uploaded by you',
    filterBy: { camera: 'Show pictures of this camera', lens: 'Show pictures of this lens' },
    links: 'Links',
    copyPage: 'Copy link',
    copyPageHint: 'For people who can sign in.',
    copyPublic: 'Copy public link',
    copyPublicHint: (tellsAll: boolean): string =>
      `Shows everyone ${tellsAll ? 'the original file' : 'only the picture'}, for 7 days.`,
    tellAll: 'With camera data and place',
    tells: (facts: readonly string[]): string => `The file then also tells: ${facts.join('\u00a0· ')}`,
    perhapsPlace: 'perhaps the place',
    copied: 'Link copied',
    copyByHand: 'Copy the link from this field',
    downloads: 'Download',
    original: (size: string): string => `Original, ${size}`,
    clean: 'Without camera data and place',
    size: 'Size',
    format: 'Format',
    download: 'Download',
    similar: 'Similar pictures',
    kinds: { copy: 'Copy', burst: 'Same series', similar: 'Similar' },
    conflict: 'Someone else changed this picture meanwhile. You see their version.',
    mine: 'Use mine',
    gone: 'Not saved: this picture was deleted meanwhile. Your text stays here until you leave it.',
    notSaved: (reason: string): string => `Not saved. ${reason}`,
    refused: (reason: string): string => `Not saved: ${reason}.`,
    refusals: {
      blank: 'it may not be blank',
      commas: 'it may not contain commas',
      signs: 'it contains a sign that is not allowed',
      characters: (most: number): string => `it may have at most ${number(most)} characters`,
      tags: (most: number): string => `it may have at most ${number(most)} tags`,
      other: (message: string): string => `it ${message}`,
    },
  },
  names: {
    title: 'Names',
    hint: 'A name is an address that stays when the picture behind it is replaced.',
    linkHint: 'A copied link shows everyone whatever picture has the name, and only the picture, for 7 days.',
    add: 'Give a name',
    label: 'New name',
    placeholder: 'front-page.jpg',
    give: 'Give',
    illFormed:
      'A name has up to 128 letters from A to Z, digits, dots, hyphens and underscores, and begins with no dot.',
    taken: (name: string, picture: string | undefined): string =>
      `${name} is the name of ${picture === undefined ? 'another picture' : `“${picture}”`} now. If it moves here, what shows ${name} shows this picture.`,
    move: 'Move it here',
    copy: (name: string): string => `Copy a link to ${name}`,
    replace: (name: string): string => `Upload another picture as ${name}…`,
    replacing: (name: string, percent: number): string => `Uploading ${name}: ${percent} %`,
    replaced: (name: string): string => `${name} is the name of the new picture. The picture before stays.`,
    remove: (name: string): string => `Remove the name ${name}`,
    removed: (name: string): string => `${name} is free. Links to it do not work any more.`,
    movedMeanwhile: (name: string): string =>
      `Nothing was changed: ${name} is not the name of this picture any more.`,
    tooMany: 'A picture has at most 100 names.',
    notAll: (most: number): string =>
      `The catalog has more than ${number(most)} names. Those behind the first are not listed here.`,
  },
  crops: {
    focus: 'Focus of crops',
    middle: 'The middle',
    place: (left: string, top: string): string => `${left}% from the left, ${top}% from the top`,
    edit: 'Set the focus of crops',
    hint: 'Click on what crops have to keep, or move the point with the arrow keys.',
    left: 'From the left',
    top: 'From the top',
    clear: 'Use the middle',
    crops: 'Crops',
    save: 'Save',
    cancel: 'Cancel',
  },
  deletion: {
    deleted: (count: number): string => (count === 1 ? 'Picture deleted' : `${pictures(count)} deleted`),
    trashed: (count: number): string =>
      count === 1 ? 'Moved to the trash' : `${pictures(count)} moved to the trash`,
    undo: 'Undo',
    undone: (count: number): string => (count === 1 ? 'Picture restored' : `${pictures(count)} restored`),
    failed: (count: number, reason: string): string => `${pictures(count)} could not be deleted. ${reason}`,
    unreachable: 'The service cannot be reached.',
    signedOut: 'Your session has ended.',
  },
  trash: {
    title: 'Trash',
    hint: (most: number): string =>
      most === 0
        ? 'The catalog keeps no trash any more: these pictures are erased soon.'
        : `Pictures are erased ${days(most)} after they were deleted. Until then they count towards the storage.`,
    noRight: 'You can see the trash, but neither restore nor erase pictures.',
    loading: 'Loading the trash…',
    empty: 'The trash is empty',
    emptyHint: (most: number): string | undefined =>
      most === 0 ? undefined : `Deleted pictures stay here for ${days(most)}.`,
    daysLeft: (left: number): string => (left === 0 ? 'Erased soon' : `${days(left)} left`),
    deleted: (day: string, by: 'you' | { readonly subject: string } | undefined): string =>
      `Deleted ${day}${by === undefined ? '' : ` by ${by === 'you' ? by : by.subject}`}`,
    restore: 'Restore',
    erase: 'Erase now',
    eraseTitle: (count: number): string => `Erase ${pictures(count)}?`,
    eraseHint: 'Erased pictures cannot be restored.',
    erased: (count: number): string => (count === 1 ? 'Picture erased' : `${pictures(count)} erased`),
    notRestored: (count: number, reason: string): string =>
      `${pictures(count)} could not be restored. ${reason}`,
    notErased: (count: number, reason: string): string => `${pictures(count)} could not be erased. ${reason}`,
    news: 'Show what was deleted meanwhile',
    more: 'Show more',
  },
  tags: {
    placeholder: 'Add tags',
    present: (label: string): string => `${label}: present`,
    remove: (tag: string): string => `Remove ${tag}`,
    added: (tags: readonly string[]): string => `Added ${list(tags)}`,
    removed: (tag: string): string => `Removed ${tag}`,
    suggestionsFor: (label: string): string => `${label}: suggestions`,
    suggestions,
    problem: {
      'too-long': 'A tag has at most 64 characters.',
      'too-many': 'A picture has at most 100 tags.',
    },
  },
  compare: {
    title: 'Compare',
    open: 'Compare',
    hint: 'All pictures zoom and move together. The others are deleted when one is kept.',
    close: 'Back',
    keep: 'Keep this one',
    keepNamed: (name: string): string => `Keep this one: ${name}`,
    facts: { pixels: 'Most pixels', bytes: 'Largest file', same: 'Same file twice' },
    tooFew: 'The other pictures were deleted: there is nothing to compare.',
  },
  slideshow: {
    title: 'Slideshow',
    close: 'End the slideshow',
    pause: 'Pause',
    play: 'Continue',
    end: { empty: 'There are no pictures to show.', failed: 'The pictures could not be loaded.' },
  },
  archive: {
    label: 'Download',
    title: (count: number): string => `Downloading ${pictures(count)}`,
    waiting: 'Preparing…',
    progress: (received: string, total: string): string => `${received} of ${total}`,
    cancel: 'Cancel',
    done: (count: number): string => `${pictures(count)} downloaded as one file`,
    cancelled: 'Download cancelled',
    underWay: 'A download is under way. Wait until it is done, or cancel it.',
    broken: 'The download broke off, and nothing was saved. Try again.',
    tooLarge: (most: number): string =>
      `This browser can save at most ${formats.size(most)} at a time. Select fewer pictures, or use Chrome or Edge.`,
  },
  share: {
    title: (count: number): string => `Share ${pictures(count)} as a page`,
    pageTitle: 'Title of the page',
    optional: 'Optional',
    validFor: 'Valid for',
    days,
    warning:
      'Anyone with the link can see and download these pictures, without signing in. They come without camera data and place.',
    create: 'Create the link',
    cancel: 'Cancel',
    address: 'Link',
    copy: 'Copy the link',
    done: 'Done',
    validUntil: (time: string): string =>
      `Valid until ${formats.time(time)} UTC. Anyone with this link can see these pictures.`,
    missing: picturesMissing,
    tooMany: (most: number): string => `A page has at most ${pictures(most)}. Select fewer.`,
  },
  bulkEdit: {
    title: (count: number): string => `Edit ${pictures(count)}`,
    changeTitle: 'Change the title',
    changeDescription: 'Change the description',
    changeTime: 'Correct the time',
    empty: 'Empty: it is removed',
    clock: 'The clock of the camera was',
    behind: 'behind',
    ahead: 'ahead',
    units: { days: 'Days', hours: 'Hours', minutes: 'Minutes' },
    first: 'First',
    last: 'Last',
    impossible: 'not possible',
    noShift: 'Enter by how much the clock was wrong.',
    withoutTime: plural({
      one: '# picture without a time stays as it is.',
      other: '# pictures without a time stay as they are.',
    }),
    notLoaded: plural({
      one: '# further picture is not loaded here, and is changed as well.',
      other: '# further pictures are not loaded here, and are changed as well.',
    }),
    apply: (count: number): string => `Change ${pictures(count)}`,
    done: (updated: number, missing: number, left: number): string =>
      [
        updated > 0 ? picturesChanged(updated) : '',
        missing > 0 ? picturesMissing(missing) : '',
        left > 0 ? tagsNotChanged(left) : '',
      ]
        .filter((sentence) => sentence !== '')
        .join(' '),
  },
  tagsPage: {
    title: 'Tags',
    find: 'Find a tag',
    order: 'Sort by',
    orders: { count: 'Most pictures', name: 'Name' },
    count: (count: number, isAll: boolean): string =>
      isAll ? tags(count) : `The first ${tags(count)}: type to find others`,
    pictures,
    untagged: 'Untagged pictures',
    none: 'No tags yet',
    noneHint: 'Open a picture or select some, and press T to add tags.',
    noMatch: 'No tag begins so',
    loading: 'Loading the tags…',
    back: 'Back to the pictures',
  },
  upload: {
    button: 'Upload pictures',
    buttonBusy: (percent: number): string => `Upload pictures: ${percent} % done`,
    more: 'More ways to upload',
    files: 'Upload pictures…',
    folder: 'Upload a folder…',
    photo: 'Take a photo…',
    drop: 'Drop pictures or folders to upload them',
    pasted: (time: string): string => `Pasted ${time}`,
    tray: 'Uploads',
    list: 'Files',
    collapse: 'Hide the files',
    expand: 'Show the files',
    close: 'Close the uploads',
    pause: 'Pause',
    pauseAll: 'Pause all',
    resume: 'Resume',
    resumeAll: 'Resume all',
    cancel: 'Cancel',
    cancelAll: 'Cancel all',
    retry: 'Try again',
    retryAll: (count: number): string => `Try ${number(count)} again`,
    tryNow: 'Try now',
    show: 'Show',
    actionOn: (action: string, name: string): string => `${action}: ${name}`,
    all: (count: number): string => `All ${number(count)}`,
    problems: (count: number): string => `Problems ${number(count)}`,
    reading: 'Reading the files…',
    starting: (total: number): string => `Uploading ${files(total)}`,
    underWay: (done: number, total: number): string => `Uploading: ${number(done)} of ${number(total)} done`,
    paused: (left: number): string => `Paused, ${number(left)} left`,
    nothing: 'No pictures to upload',
    uploaded: (count: number): string => `${number(count)} uploaded`,
    known: (count: number): string => `${number(count)} already here`,
    repeated: (count: number): string => `${number(count)} chosen twice`,
    refused: (count: number): string => `${number(count)} refused`,
    failed: (count: number): string => `${number(count)} failed`,
    cancelled: (count: number): string => `${number(count)} cancelled`,
    skipped: (count: number, kinds: string): string => `${files(count)} skipped: not ${kinds}`,
    accepted: (kinds: string): string => `The catalog takes ${kinds}.`,
    skippedHeic: plural({
      one: '# is a HEIC picture: export as JPEG',
      other: '# are HEIC pictures: export as JPEG',
    }),
    row: {
      waiting: 'Waiting',
      preparing: 'Preparing…',
      sent: (sent: string, total: string): string => `${sent} of ${total}`,
      finishing: 'Being checked…',
      paused: 'Paused',
      uploaded: 'Uploaded',
      known: 'Already in the catalog',
      repeated: (name: string): string => `The same picture as ${name}`,
      cancelled: 'Cancelled',
    },
    refusal: {
      heic: 'HEIC is not supported: export it as JPEG.',
      invalid_image: 'Damaged or incomplete, or too many pixels.',
      file_too_large: 'The file is too large.',
      file_required: 'The file is empty.',
      invalid_request: 'The catalog does not accept this file.',
    },
    failure: {
      unreadable: 'The file cannot be read any more.',
      changed: 'The file changed during the upload.',
      connection_lost: 'The connection broke several times.',
      deleted_meanwhile: 'Uploaded, but deleted since.',
      quota_exceeded: 'The space is full.',
      internal_error: 'The catalog had an error.',
      unexpected_response: 'The catalog sent an unexpected response.',
    },
    hold: {
      offline: 'You are offline. Uploads continue when the network is back.',
      unreachable: 'The catalog cannot be reached. Uploads continue by themselves.',
      'provider-unreachable': 'Your sign-in cannot be renewed yet. Uploads continue by themselves.',
      busy: 'The catalog is busy. Uploads continue by themselves.',
      read_only: 'The catalog is read-only at present. Uploads continue when it takes changes.',
      'signed-out': 'Your session has ended. Uploads continue after you sign in.',
      unauthorized: 'The catalog does not accept your sign-in.',
    },
    forbidden: (scope: string | undefined): string =>
      scope === undefined
        ? 'You have no permission to upload. Ask the operator of the catalog.'
        : `You have no permission to upload. Ask the operator for the scope ${scope}.`,
    full: 'The space is full. Delete pictures (those in the trash count, too) or ask the operator for more room, then try again.',
    emptyTitle: 'No pictures yet',
    emptyInvitation: 'Drop pictures or whole folders anywhere on this page.',
    emptyChoose: 'Choose pictures',
    emptyFolder: 'Choose a folder',
  },
  search: {
    label: 'Search',
    placeholder: 'Search words, tags, dates…',
    clear: 'Clear the search',
    suggestionsLabel: 'Filters',
    suggestions: (count: number): string => (count === 0 ? 'No suggestions' : suggestions(count)),
    kinds: { tag: 'Tag', date: 'Date', type: 'File type' },
    words: (words: string) => `“${words}”`,
    /** Pictures without tags, and without a capture time. */
    untagged: ['Untagged', 'No tags', 'Without tags'] as FilterWords,
    undated: ['Undated', 'No date', 'Without date'] as FilterWords,
    captures: {
      camera: (words: string) => `Camera: ${words}`,
      lens: (words: string) => `Lens: ${words}`,
    },
    /** Before words of the camera and of the lens, in lower case. */
    captureWords: { camera: 'camera', lens: 'lens' },
    view: 'View',
    filters: 'Filters',
    remove: (filter: string) => `Remove ${filter}`,
    removed: (filter: string) => `Removed ${filter}`,
    added: (filter: string) => `Filtered by ${filter}`,
    clearAll: 'Clear all',
    noMatches: 'No pictures match',
    clearFilters: 'Clear filters',
    pictures,
    dates: {
      today: ['Today'],
      yesterday: ['Yesterday'],
      thisMonth: ['This month'],
      lastMonth: ['Last month'],
      thisYear: ['This year'],
      lastYear: ['Last year'],
      last7Days: ['Last 7 days'],
      last30Days: ['Last 30 days'],
    } as Readonly<Record<RelativeDate, FilterWords>>,
    /** Before a date, and between two. */
    dateSides: {
      since: ['since', 'from'],
      after: ['after'],
      until: ['until'],
      before: ['before'],
      between: ['to'],
    } as Readonly<Record<DateSide, readonly string[]>>,
    sort: 'Sort by',
    sorts: {
      taken: 'Date taken',
      added: 'Recently added',
      'first-added': 'First added',
      random: 'Random walk',
    },
    shuffle: 'Shuffle again',
    since: (date: string) => `Since ${date}`,
    until: (date: string) => `Until ${date}`,
    after: (time: string) => `After ${time}`,
    before: (time: string) => `Before ${time}`,
    between: (first: string, last: string) => `${first} – ${last}`,
  },
  header: {
    home: 'Catalog: all pictures',
    search: 'Search',
    closeSearch: 'Close search',
    account: 'Account and settings',
    rights: {
      readOnly: 'The catalog is read-only at present.',
      viewOnly: 'You can view pictures, but not change them.',
      noDeletion: 'You can change pictures, but not delete them.',
      noChange: 'You can delete pictures, but not change them.',
    },
    signedInAs: (name: string | undefined) => name ?? 'Signed in',
    usage: {
      label: 'Storage',
      images: (used: number, limit: number | null): string =>
        limit === null ? pictures(used) : `${number(used)} of ${pictures(limit)}`,
      bytes: (used: number, limit: number | null): string =>
        limit === null ? formats.size(used) : `${formats.size(used)} of ${formats.size(limit)}`,
      /** Names of bars. */
      of: { images: 'Pictures', bytes: 'Space' },
      almostFull: 'Almost full',
      full: 'Full',
      trashed: (images: number, bytes: number): string =>
        `Including ${pictures(images)} in the trash: ${formats.size(bytes)}`,
    },
    theme: 'Theme',
    themes: { light: 'Light', dark: 'Dark', system: 'System' },
    language: 'Language',
    shortcuts: 'Keyboard shortcuts',
    apiReference: 'API reference',
    signOut: 'Sign out',
  },
  notices: {
    label: 'Notices',
    close: 'Close',
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    ctrl: 'Ctrl',
    close: 'Close',
    characters: 'Letters and signs alone are shortcuts',
    sections: [
      {
        title: 'Everywhere',
        keys: [
          [['/', 'mod+K'], 'Search'],
          [['U'], 'Upload', 'write'],
          [['Z'], 'Undo a deletion', 'delete'],
          [['Esc'], 'Step out'],
          [['?'], 'This list'],
        ],
      },
      {
        title: 'Pictures',
        keys: [
          [['←', '→', '↑', '↓'], 'Move'],
          [['Enter'], 'Open'],
          [['Space'], 'Select'],
          [['Shift'], 'Extend the selection'],
          [['F'], 'Star', 'write'],
          [['S'], 'Slideshow; Space pauses it'],
          [['N'], 'Show new pictures'],
        ],
      },
      {
        title: 'Selected pictures',
        keys: [
          [['F'], 'Star', 'write'],
          [['T'], 'Tags', 'write'],
          [['C'], 'Compare 2 to 4 pictures'],
          [['D'], 'Download'],
          [['Del'], 'Delete', 'delete'],
          [['Esc'], 'Clear the selection'],
        ],
      },
      {
        title: 'One picture',
        keys: [
          [['←', '→'], 'Previous, next'],
          [['+', '−', '0'], 'Zoom in, out, fit'],
          [['I'], 'Information'],
          [['F'], 'Star', 'write'],
          [['T'], 'Tags', 'write'],
          [['D'], 'Download'],
          [['Del'], 'Delete', 'delete'],
        ],
      },
    ] as readonly ShortcutSection[],
  },
};

/** What the file of a language contains. */
export type Texts = typeof english;
