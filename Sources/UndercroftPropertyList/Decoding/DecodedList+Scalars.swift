import UndercroftFoundation

/// The conversions of values to the types of Swift, with the rules of Foundation's decoder.
extension DecodedList {
  @inline(__always)
  func stored(at number: Int) throws(ValueFailure) -> StoredValue {
    do { return try value(at: number) } catch { throw .damaged(error) }
  }

  func boolean(_ value: StoredValue) throws(ValueFailure) -> Bool {
    guard case .boolean(let boolean) = value else { throw mismatch(value) }
    return boolean
  }

  /// Returns an integer, also that of a real number without a fraction.
  @inline(__always)
  func integer<Integer: FixedWidthInteger>(_ value: StoredValue) throws(ValueFailure) -> Integer {
    switch value {
    case .integer(let number):
      guard let integer = Integer(exactly: number) else { throw .outOfRange("\(number)") }
      return integer
    case .real(let number):
      guard let integer = Integer(exactly: number) else { throw .outOfRange("\(number)") }
      return integer
    default: throw mismatch(value)
    }
  }

  /// Returns a real number, also that of an integer of 64 bits.
  func double(_ value: StoredValue) throws(ValueFailure) -> Double {
    switch value {
    case .real(let number): return number
    case .integer(let number): return try real(number)
    default: throw mismatch(value)
    }
  }

  /// Returns a real number, also that of an integer of 64 bits.
  func float(_ value: StoredValue, at number: Int) throws(ValueFailure) -> Float {
    switch value {
    case .real(let double):
      do { if let float = try float(at: number) { return float } } catch { throw .damaged(error) }
      if double.isNaN { return .nan }
      guard let float = Float(exactly: double) else { throw .outOfRange("\(double)") }
      return float
    case .integer(let number): return try real(number)
    default: throw mismatch(value)
    }
  }

  private func real<Real: BinaryFloatingPoint>(_ number: Int128) throws(ValueFailure) -> Real {
    if let number = UInt64(exactly: number) { return Real(number) }
    guard let number = Int64(exactly: number) else { throw .outOfRange("\(number)") }
    return Real(number)
  }

  func date(_ value: StoredValue) throws(ValueFailure) -> Date {
    guard case .date(let seconds) = value else { throw mismatch(value) }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  func string(_ value: StoredValue, at number: Int) throws(ValueFailure) -> String {
    guard case .string = value else { throw mismatch(value) }
    do { return try string(at: number) } catch { throw .damaged(error) }
  }

  func data(_ value: StoredValue, at number: Int) throws(ValueFailure) -> Data {
    guard case .data = value else { throw mismatch(value) }
    do { return try data(at: number) } catch { throw .damaged(error) }
  }

  /// Returns the failure for a value that has not the requested type.
  func mismatch(_ value: StoredValue) -> ValueFailure {
    if case .null = value { .null } else { .mismatch(value.name) }
  }
}
