/// A value that may be absent, seen without knowing what it wraps.
protocol OptionalValue {
  var isAbsent: Bool { get }
}

extension Optional: OptionalValue {
  var isAbsent: Bool { if case .none = self { true } else { false } }
}
