"""Small convolutional networks of the kinds that Ambry converts, as PyTorch modules: residual ones with torchvision's names and with
fastai's, plain ones, and heads of several forms. All numbers are made by a formula, so that every run gives the same files."""
import torch
from torch import nn


class Basic(nn.Module):
    def __init__(self, before, width, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(before, width, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = shortcut(before, width, stride)

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        return self.relu(y + (x if self.downsample is None else self.downsample(x)))


class Bottleneck(nn.Module):
    def __init__(self, before, width, stride):
        super().__init__()
        inner = max(2, width // 2)
        self.conv1 = nn.Conv2d(before, inner, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(inner)
        self.conv2 = nn.Conv2d(inner, inner, 3, stride, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(inner)
        self.conv3 = nn.Conv2d(inner, width, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = shortcut(before, width, stride)

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        return self.relu(y + (x if self.downsample is None else self.downsample(x)))


def shortcut(before, width, stride):
    if before == width and stride == 1:
        return None
    return nn.Sequential(nn.Conv2d(before, width, 1, stride, bias=False), nn.BatchNorm2d(width))


class Residual(nn.Module):
    """torchvision's ResNet with other widths."""

    def __init__(self, block, widths, depths, classes):
        super().__init__()
        self.conv1 = nn.Conv2d(3, widths[0], 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(widths[0])
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        before = widths[0]
        self.n_stages = len(widths)
        for i, (width, depth) in enumerate(zip(widths, depths)):
            blocks = [block(before if j == 0 else width, width, 2 if j == 0 and i > 0 else 1) for j in range(depth)]
            setattr(self, f"layer{i + 1}", nn.Sequential(*blocks))
            before = width
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(before, classes)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        for i in range(self.n_stages):
            x = getattr(self, f"layer{i + 1}")(x)
        return self.fc(torch.flatten(self.avgpool(x), 1))


class ConcatPool(nn.Module):
    def __init__(self):
        super().__init__()
        self.ap = nn.AdaptiveAvgPool2d(1)
        self.mp = nn.AdaptiveMaxPool2d(1)

    def forward(self, x):
        return torch.cat([self.mp(x), self.ap(x)], 1)


def fastai(widths, depths, inner, classes):
    """The body of a residual network and the head that fastai's cnn_learner makes."""
    body = Residual(Basic, widths, depths, 1)
    parts = [body.conv1, body.bn1, body.relu, body.maxpool]
    parts += [getattr(body, f"layer{i + 1}") for i in range(len(widths))]
    last = 2 * widths[-1]
    head = [ConcatPool(), nn.Flatten(), nn.BatchNorm1d(last), nn.Dropout(0.25), nn.Linear(last, inner, bias=False)]
    head += [nn.ReLU(inplace=True), nn.BatchNorm1d(inner), nn.Dropout(0.5), nn.Linear(inner, classes, bias=False)]
    return nn.Sequential(nn.Sequential(*parts), nn.Sequential(*head))


class Plain(nn.Module):
    """torchvision's VGG with batch norms and other widths."""

    def __init__(self, classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 5, 3, padding=1), nn.BatchNorm2d(5), nn.ReLU(inplace=True), nn.MaxPool2d(2, 2),
            nn.Conv2d(5, 6, 3, padding=1), nn.BatchNorm2d(6), nn.ReLU(inplace=True),
            nn.Conv2d(6, 6, 3, padding=1), nn.BatchNorm2d(6), nn.ReLU(inplace=True), nn.MaxPool2d(2, 2))
        self.avgpool = nn.AdaptiveAvgPool2d((2, 2))
        self.classifier = nn.Sequential(nn.Linear(24, 9), nn.ReLU(True), nn.Dropout(), nn.Linear(9, classes))

    def forward(self, x):
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))


class Digits(nn.Module):
    """As tutorials write it: pools before the ReLU, a view with the size of the batch, and probabilities."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 5)
        self.conv2 = nn.Conv2d(4, 6, 5, padding=2, stride=2)
        self.norm = nn.BatchNorm2d(6)
        self.fc1 = nn.Linear(54, 8, bias=False)
        self.fc2 = nn.Linear(8, 5)

    def forward(self, x):
        x = torch.relu(torch.max_pool2d(self.conv1(x), 2))
        x = self.norm(torch.relu(torch.max_pool2d(self.conv2(x), 2)))
        x = x.view(x.size(0), -1)
        return torch.softmax(self.fc2(torch.relu(self.fc1(x))), 1)


def filled(module, seed):
    """Numbers that look random and keep the values of every layer in one order of magnitude."""
    generator = torch.Generator().manual_seed(seed)
    for name, tensor in module.state_dict().items():
        if name.endswith("num_batches_tracked"):
            continue
        if tensor.dim() > 1:
            fan = tensor[0].numel()
            tensor.copy_(torch.randn(tensor.shape, generator=generator) * (2.0 / fan) ** 0.5)
        elif name.endswith("running_var"):
            tensor.copy_(torch.rand(tensor.shape, generator=generator) + 0.5)
        elif name.endswith("weight"):
            tensor.copy_(torch.rand(tensor.shape, generator=generator) * 0.5 + 0.75)
        else:
            tensor.copy_(torch.randn(tensor.shape, generator=generator) * 0.25)
    return module.eval()


def networks():
    """Each network with the shape of its input."""
    return {
        "residual": (filled(Residual(Basic, [3, 4, 5], [1, 1, 2], 7), 1), [3, 45, 45]),
        "bottleneck": (filled(Residual(Bottleneck, [4, 5, 6], [1, 1, 1], 5), 2), [3, 39, 39]),
        "fastai": (filled(fastai([3, 4], [1, 1], 6, 4), 3), [3, 41, 41]),
        "plain": (filled(Plain(6), 4), [3, 16, 16]),
        "digits": (filled(Digits(), 5), [1, 28, 28]),
    }
