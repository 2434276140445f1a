export class MalformedFile extends Error {}
