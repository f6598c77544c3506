/// A protocol to which only `Optional` conforms, for code that does not know the wrapped type.
protocol OptionalValue {
  var isAbsent: Bool { get }
  static var wrappedType: Any.Type { get }
}

extension Optional: OptionalValue {
  static var wrappedType: Any.Type { Wrapped.self }
  var isAbsent: Bool { if case .none = self { true } else { false } }
}
