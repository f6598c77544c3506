/// A rule that recognises one kind of problem in a store.
protocol AdviceRule {
  /// The stable names that ``Advice/rule`` can have in the advice of this rule.
  static var names: [String] { get }

  /// Returns the advice about a store.
  func advice(about store: AdvisedStore) throws -> [Advice]
}
