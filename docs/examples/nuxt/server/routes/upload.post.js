/** Decide here who may publish: a real application asks for its own session. */
export default defineEventHandler(async (event) => {
  const form = await readFormData(event);
  try {
    await publish(form.get('name') ?? '', form.get('file'));
  } catch (error) {
    return new Response(error.message, { status: error.status || 502 });
  }
  return new Response(null, { status: 303, headers: { Location: '/' } });
});
