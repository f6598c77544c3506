/// A rule that recognises one kind of problem in a store.
protocol AdviceRule {
  /// The stable names of the rules of the advice.
  static var names: [String] { get }

  /// Returns the advice about a store.
  func advice(about store: AdvisedStore) throws -> [Advice]
}
