/** Most models begin with the make already. */
export function cameraName(make: string | undefined, model: string | undefined): string | undefined {
  if (make === undefined || model === undefined) return model ?? make;
  const [firstWord = ''] = make.split(' ');
  const isNamed = model.toLowerCase().startsWith(firstWord.toLowerCase());
  return isNamed ? model : `${make} ${model}`;
}
