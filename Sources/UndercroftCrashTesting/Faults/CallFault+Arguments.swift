/// A fault on the command line.
extension CallFault {
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
    let error = Int32(try options.number("error") ?? 0)
    let form: Form =
      switch options["form"] {
      case "short": .short
      case "half": .half(error)
      default: .error(error)
      }
    self.init(
      call: try options.required("call"), number: try options.number("number") ?? 1,
      count: try options.number("count") ?? 1, form: form)
  }
}
