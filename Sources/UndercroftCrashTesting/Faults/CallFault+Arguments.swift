import UndercroftFileSystem

/// The conversion of a fault from and to the options of the command line.
extension CallFault {
  /// The error number of a fault if the command line does not specify one.
  static let defaultError = EIO

  /// The names of the system calls that a fault can make fail.
  static var callNames: [String] { forms.map(\.call) }

  var arguments: [String] {
    var words = ["--call", call, "--number", "\(number)", "--count", "\(count)"]
    switch form {
    case .error(let number): words += ["--error", "\(number)"]
    case .short: words += ["--form", "short"]
    case .half(let number): words += ["--form", "half", "--error", "\(number)"]
    }
    return words
  }

  init(_ options: LaboratoryOptions) throws(LaboratoryError) {
    let call = try options.required("call")
    guard Self.callNames.contains(call) else {
      throw LaboratoryError(
        """
        cannot inject faults into the call "\(call)": the supported calls are \
        \(Self.callNames.listed); pass one of these calls with --call
        """)
    }
    let number = try options.number("error", least: 1) ?? Int(Self.defaultError)
    guard let error = Int32(exactly: number), number < 4_096 else {
      throw LaboratoryError(
        """
        cannot use the option --error \(number): the largest error number is 4095; pass a number \
        of errno(3), such as \(Self.defaultError)
        """)
    }
    let form: Form
    switch options["form"] {
    case nil, "error"?: form = .error(error)
    case "short"?: form = .short
    case "half"?: form = .half(error)
    case let other?:
      throw LaboratoryError(
        """
        cannot use the option --form "\(other)": the forms are error, short and half; pass one of \
        these forms
        """)
    }
    let canBeHalf = call == "write" || call == "read" && form == .short
    guard form == .error(error) || canBeHalf else {
      let (name, calls) =
        form == .short ? ("short", "--call read or --call write") : ("half", "--call write")
      throw LaboratoryError(
        """
        cannot use the option --form "\(name)" with the call "\(call)": this form requires \
        \(calls); change the option --call, or use "--form error"
        """)
    }
    self.init(
      call: call, number: try options.number("number", least: 1) ?? 1,
      count: try options.number("count", least: 1) ?? 1, form: form)
  }

  /// Throws if the writer makes fewer than ``number`` calls of the kind ``call``, because then no
  /// call would fail.
  ///
  /// - Parameters:
  ///   - counts: the number of calls that the writer makes, keyed by the name of the call.
  ///   - store: the name of the store to which the writer writes.
  func requireOccurrence(in counts: [String: Int], of store: String) throws(LaboratoryError) {
    let count = counts[call, default: 0]
    guard number > count else { return }
    let made = Self.callNames.filter { counts[$0, default: 0] > 0 }
    throw LaboratoryError(
      count == 0
        ? """
        cannot inject the fault: the writer of the store "\(store)" does not call "\(call)"; with \
        --call, pass one of the calls that this writer makes: \(made.listed)
        """
        : """
        cannot inject the fault: the number of calls of \(call) by the writer of the store \
        "\(store)" is \(count), but --number is \(number); pass a --number of at most \(count)
        """)
  }
}
