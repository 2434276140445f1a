/** A rule of the linter: a package has one form of private members. */
const privateMembers = {
  meta: { schema: [{ enum: ['private', '#'] }] },
  create(context) {
    const [form] = context.options;
    const report = (node) => context.report({ node, message: `Private members have the form ${form} here.` });
    const reportKeyword = (node) => node.accessibility === 'private' && report(node);
    if (form === 'private') return { PrivateIdentifier: report };
    return {
      PropertyDefinition: reportKeyword,
      MethodDefinition: reportKeyword,
      TSParameterProperty: reportKeyword,
    };
  },
};

export default { meta: { name: 'house' }, rules: { 'private-members': privateMembers } };
