/// A cached fact about one name.
///
/// The protocol requires a class, because finding out the class of an
/// object takes a fraction of the time of casting an arbitrary value.
protocol CachedValue: AnyObject, Sendable {}

/// A value that was read and decoded.
final class DecodedValue<Value: Sendable>: CachedValue {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// The fact that no value is stored.
final class AbsentValue: CachedValue {}
