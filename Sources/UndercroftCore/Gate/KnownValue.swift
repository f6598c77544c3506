/// What is known of one name: an object, because finding out its class takes a fraction of what casting any value takes.
protocol KnownValue: AnyObject, Sendable {}

/// A value that was read and decoded.
final class DecodedValue<Value: Sendable>: KnownValue {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// That nothing is kept.
final class AbsentValue: KnownValue {}
