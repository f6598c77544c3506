/// The cached result of reading one name: a decoded value, or the absence of a value.
///
/// The protocol requires a class, because determining the class of an
/// object needs only a fraction of the time of casting an arbitrary value.
protocol CachedValue: AnyObject, Sendable {}

/// The cached result of a read that found a value: the decoded value.
final class DecodedValue<Value: Sendable>: CachedValue {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// The cached result of a read that found no stored value.
final class AbsentValue: CachedValue {}
